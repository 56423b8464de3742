# Serves the page together with NATS servers, through which its programs share values.

# serve_with_nats [NODES] [PORT]: serves both until interrupted.
serve_with_nats() {
  local nodes=1
  # A one-digit number is the number of servers, not a port.
  if [ $# -gt 0 ] && ! [[ $1 =~ ^[0-9]{2,}$ ]]; then
    nodes=$1
    shift
  fi
  [[ $nodes == [13] ]] ||
    usage_error "'$nodes' is not a number of servers: use 1, or 3 for a cluster."
  need_port "$@"
  need_nats "$nodes"
  verb_build
  need_presence
  exec env PYTHONDONTWRITEBYTECODE=1 \
    python3 Tools/nats_page.py web "$port" "$nodes" "$nats_port" "$BUILD/nats"
}

# need_nats NODES: finds or downloads nats-server. Sets nats_port, the first of two or nine ports.
need_nats() {
  local number count=2
  [ "$1" -eq 1 ] || count=9
  nats_port=${NATS_PORT:-4223}
  { [[ $nats_port =~ ^[1-9][0-9]{0,4}$ ]] && [ "$nats_port" -le 65527 ]; } ||
    usage_error "NATS_PORT=$nats_port is not a port: give a number from 1 to 65527."
  for ((number = nats_port; number < nats_port + count; number++)); do
    python3 Tools/ports.py "$number" || die "Choose other ports: NATS_PORT is the first of $count."
  done
  python3 -B Tools/nats_program.py "$1" || exit 1
}

# Prints the path of nats-server; downloads the program if necessary.
nats_server() {
  PYTHONPATH=Tools python3 -B -c 'import nats_program; print(nats_program.find(3))'
}
