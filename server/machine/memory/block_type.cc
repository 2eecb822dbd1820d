#include "server/machine/memory/block_type.h"

namespace heddle::machine {

program::BlockType block_type(const Image& image, uint32_t pc) {
  return program::block_type(*image.program, image.address(pc));
}

void mark_handed_on(Image& image) {
  for (uint32_t f = 0; f < image.function_count(); ++f) {
    const auto size = static_cast<uint32_t>(image.program->function(program::FunctionId(f)).code.size());
    for (uint32_t n = 0; n < size; ++n) {
      const program::CodeAddress at{program::FunctionId(f), n};
      if (program::is_handed_on(*image.program, at)) image.code[image.decoded(at)].flags |= kHandedOn;
    }
  }
}

}  // namespace heddle::machine
