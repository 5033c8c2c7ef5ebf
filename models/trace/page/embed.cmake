# Turns page.css and page.js into C++ strings: cmake -D SOURCE=folder -D OUT=file.cpp -P embed.cmake
file(READ ${SOURCE}/page.css style)
file(READ ${SOURCE}/page.js script)
foreach(text style script)
  string(FIND "${${text}}" ")_page_\"" ends_early)
  if(NOT ends_early EQUAL -1)
    message(FATAL_ERROR "the ${text} of the page holds what ends a C++ string")
  endif()
endforeach()
file(WRITE ${OUT} "#include \"models/trace/page_assets.hpp\"

namespace wakeproof::models {

const std::string_view kPageStyle = R\"_page_(${style})_page_\";
const std::string_view kPageScript = R\"_page_(${script})_page_\";

}  // namespace wakeproof::models
")
