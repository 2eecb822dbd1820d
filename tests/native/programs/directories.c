// Directories of the in-memory file system.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  mkdir("dd", 0755);
  int fd = open("dd/f", O_CREAT | O_RDWR | O_TRUNC, 0644);
  write(fd, "abcdef", 6);
  lseek(fd, 2, SEEK_SET);
  char b[8] = {0};
  read(fd, b, 3);
  printf("%s\n", b);
  pread(fd, b, 2, 0);
  printf("%s\n", b);
  pwrite(fd, "Z", 1, 5);
  ftruncate(fd, 10);
  struct stat st;
  fstat(fd, &st);
  printf("%ld\n", (long)st.st_size);
  close(fd);
  DIR* d = opendir("dd");
  struct dirent* e;
  int n = 0;
  while ((e = readdir(d))) n += e->d_name[0] != '.';
  closedir(d);
  printf("%d\n", n);
  printf("%d\n", rmdir("dd"));
  printf("%d\n", errno == ENOTEMPTY);
  unlink("dd/f");
  printf("%d\n", rmdir("dd"));
  printf("%d\n", opendir("dd") == 0);
  char cwd[256];
  printf("%d\n", getcwd(cwd, sizeof cwd) != 0);
  printf("%d %d\n", mkdir("no/such", 0700), errno == ENOENT);
}
