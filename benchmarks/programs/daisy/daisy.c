// Daisy: threads create, write and read files of a small file system.
// Models:     the Java program of the thesis and of the may-happen-before paper. Layers as there: a disk of bytes, a
//             bitmap of free blocks, inodes, a table of locks for blocks and one for inodes. The mended form: blocks
//             are allocated under the bitmap's lock, an inode is held from the look at its size to the write.
// Threads:    main, USERS users (2 in the papers).
// Size:       744 lines in Java; this form has fewer operations (no directories, no deletion).
// Parameters: USERS, WRITES (bytes per user), INODES, BLOCKS.
// Scaled:     -DUSERS=3 -DWRITES=3 -DBLOCKS=12
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef USERS
#define USERS 2
#endif
#ifndef WRITES
#define WRITES 2
#endif
#ifndef INODES
#define INODES 2
#endif
#ifndef BLOCKS
#define BLOCKS 6
#endif
#define BLOCK_SIZE 2
#define BLOCKS_PER_INODE 4

struct Inode {
  int used;
  int size;
  int blocks[BLOCKS_PER_INODE];
};

struct LockTable {
  pthread_mutex_t inode[INODES];
  pthread_mutex_t block[BLOCKS];
  pthread_mutex_t bitmap;
  pthread_mutex_t inodes;
};

static char disk[BLOCKS * BLOCK_SIZE];
static int block_used[BLOCKS];
static struct Inode inodes[INODES];
static struct LockTable locks;

static void disk_write(int block, int offset, char byte) {
  pthread_mutex_lock(&locks.block[block]);
  disk[block * BLOCK_SIZE + offset] = byte;
  pthread_mutex_unlock(&locks.block[block]);
}

static char disk_read(int block, int offset) {
  pthread_mutex_lock(&locks.block[block]);
  char byte = disk[block * BLOCK_SIZE + offset];
  pthread_mutex_unlock(&locks.block[block]);
  return byte;
}

// Returns -1 if the disk is full.
static int allocate_block(void) {
  int found = -1;
  pthread_mutex_lock(&locks.bitmap);
  for (int i = 0; i < BLOCKS && found < 0; i++) {
    if (!block_used[i]) found = i;
  }
  if (found >= 0) block_used[found] = 1;
  pthread_mutex_unlock(&locks.bitmap);
  return found;
}

static int create_file(void) {
  int found = -1;
  pthread_mutex_lock(&locks.inodes);
  for (int i = 0; i < INODES && found < 0; i++) {
    if (!inodes[i].used) found = i;
  }
  if (found >= 0) inodes[found].used = 1;
  pthread_mutex_unlock(&locks.inodes);
  return found;
}

// Returns 0 if the file or the disk is full.
static int append_byte(int file, char byte) {
  struct Inode* inode = &inodes[file];
  int written = 0;
  pthread_mutex_lock(&locks.inode[file]);
  int at = inode->size;
  int index = at / BLOCK_SIZE;
  if (index < BLOCKS_PER_INODE) {
    if (at % BLOCK_SIZE == 0) inode->blocks[index] = allocate_block();
    if (inode->blocks[index] >= 0) {
      disk_write(inode->blocks[index], at % BLOCK_SIZE, byte);
      inode->size = at + 1;
      written = 1;
    }
  }
  pthread_mutex_unlock(&locks.inode[file]);
  return written;
}

static int read_byte(int file, int at) {
  const struct Inode* inode = &inodes[file];
  int byte = -1;
  pthread_mutex_lock(&locks.inode[file]);
  if (at < inode->size) byte = disk_read(inode->blocks[at / BLOCK_SIZE], at % BLOCK_SIZE);
  pthread_mutex_unlock(&locks.inode[file]);
  return byte;
}

static void* run_user(void* argument) {
  const int user = *(const int*)argument;
  int own = create_file();
  assert(own >= 0);
  for (int i = 0; i < WRITES; i++) {
    assert(append_byte(own, (char)(10 * user + i)));
    append_byte(0, (char)(10 * user + i));
  }
  if (own != 0) assert(read_byte(own, 0) == 10 * user);
  return 0;
}

static void initialise(void) {
  pthread_mutex_init(&locks.bitmap, 0);
  pthread_mutex_init(&locks.inodes, 0);
  for (int i = 0; i < INODES; i++) pthread_mutex_init(&locks.inode[i], 0);
  for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&locks.block[i], 0);
}

int main(void) {
  pthread_t threads[USERS];
  int users[USERS];
  initialise();
  for (int i = 0; i < USERS; i++) {
    users[i] = i + 1;
    pthread_create(&threads[i], 0, run_user, &users[i]);
  }
  for (int i = 0; i < USERS; i++) pthread_join(threads[i], 0);
  int files = 0;
  int size = 0;
  for (int i = 0; i < INODES; i++) {
    files += inodes[i].used;
    size += inodes[i].size;
  }
  assert(files == USERS);
  assert(size == 2 * USERS * WRITES);
  return 0;
}
