// File streams over the file system: write, read, append, seek, binary, missing files.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main() {
  const std::string name = "heddle_native_files.txt";
  {
    std::ofstream out(name);
    std::cout << out.is_open() << '\n';
    for (int n = 0; n < 5; ++n) out << "line " << n << '\n';
  }
  {
    std::ofstream out(name, std::ios::app);
    out << "appended " << 3.5 << std::endl;
    std::cout << out.tellp() << '\n';
  }
  {
    std::ifstream in(name);
    std::string line;
    int count = 0;
    while (std::getline(in, line)) std::cout << ++count << ' ' << line << '\n';
    std::cout << in.eof() << in.bad() << '\n';
    in.clear();
    in.seekg(5);
    int number = -1;
    std::string word;
    in >> number >> word;
    std::cout << number << word << ' ' << in.tellg() << '\n';
    in.seekg(0, std::ios::end);
    std::cout << in.tellg() << '\n';
  }
  {
    std::fstream both(name, std::ios::in | std::ios::out);
    both.seekp(0);
    both << "LINE";
    both.seekg(0);
    std::string word;
    both >> word;
    std::cout << word << '\n';
  }
  std::ifstream missing("no such file");
  std::cout << missing.is_open() << missing.fail() << '\n';
  {
    std::ofstream binary(name, std::ios::binary);
    std::vector<int> numbers{1, 256, 65536};
    binary.write(reinterpret_cast<const char*>(numbers.data()), std::streamsize(numbers.size() * sizeof(int)));
  }
  {
    std::ifstream binary(name, std::ios::binary);
    int number = 0;
    while (binary.read(reinterpret_cast<char*>(&number), sizeof number)) std::cout << number << ' ';
    std::cout << binary.gcount() << '\n';
    std::ifstream whole(name);
    std::ostringstream copy;
    copy << whole.rdbuf();
    std::cout << copy.str().size() << '\n';
  }
  std::remove(name.c_str());
  std::cout << std::ifstream(name).good() << '\n';
}
