# Writes a C++ file that holds the text of source files, so that a page can quote the very lines that ran.
#   cmake -DROOT=CHECKOUT -DFILES="lessons/00_tour.cpp;..." -DARRAY=lesson_sources -DOUTPUT=FILE -P embed_sources.cmake
# A file is read as a whole: CMake's lists and lines would lose its ; and [ ].
set(code "#include \"support/embedded_sources.hpp\"\n\nconst attn::EmbeddedSource attn::${ARRAY}[] = {\n")
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" text)
  string(FIND "${text}" ")SRC~\"" closing)
  if(NOT closing EQUAL -1)
    message(FATAL_ERROR "${file} holds )SRC~\", which ends the raw string that it is put into: write it another way")
  endif()
  string(APPEND code "{\"${file}\", R\"SRC~(${text})SRC~\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${code}{nullptr, nullptr}};\n")
