# Files as string literals: cmake -D OUTPUT=view_assets.cc -D HEADER=client/report/view_assets.h -D FILES="a.js;b.css" -P embed.cmake
set(text "#include \"${HEADER}\"\n\nnamespace heddle::client::asset {\n\n")
foreach(path ${FILES})
  get_filename_component(name ${path} NAME)
  string(REGEX REPLACE "[^a-z]" "_" name ${name})
  file(READ ${path} content)
  string(APPEND text "const std::string_view ${name} = R\"heddle(${content})heddle\";\n\n")
endforeach()
file(WRITE ${OUTPUT} "${text}}  // namespace heddle::client::asset\n")
