# `deploy`: an app as a folder for static hosts. build.sh sources this file.

# app_deploy DIR [--check]: builds the app, and writes it into DIR.
app_deploy() {
  local folder= check=
  while [ $# -gt 0 ]; do
    case $1 in
      --check) check=yes ;;
      -*) usage_error "deploy has no option $1. $(app_help)" ;;
      *)
        [ -z "$folder" ] || usage_error "deploy takes a folder, got also: $1"
        folder=$(from_caller "${1%/}")
        ;;
    esac
    shift
  done
  [ -n "$folder" ] || usage_error "deploy needs a folder, as in: deploy site"
  [ -f "$app/web/index.html" ] || die "$app/web/index.html is missing: there is no page to deploy."
  app_build
  need_deploy_tools brotli
  "$BUILD/brotli/bin/python" Tools/deploy.py "$app/web" "$folder" || exit 1
  say "wrote $folder: $(find "$folder" -type f ! -name '*.gz' ! -name '*.br' | wc -l) files, and" \
    "compressed ones beside them. It can be served below any address."
  [ -z "$check" ] || check_deployed "$folder"
}

# check_deployed FOLDER: looks at a deployed app in a browser.
check_deployed() {
  need_program "${CHROMIUM:-chromium}" chromium
  need_deploy_tools playwright
  "$BUILD/playwright/bin/python" Tools/check_deployed.py "$1" || die "The deployed app has a problem."
}

# need_deploy_tools PACKAGE: installs a Python package, in the version of the tests, for an app.
need_deploy_tools() {
  grep "^$1=" Tests/requirements.txt | update "$BUILD/$1.txt"
  need_python_tools "$BUILD/$1.txt" "$BUILD/$1"
}
