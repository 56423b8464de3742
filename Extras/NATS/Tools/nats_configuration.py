"""The configuration of a NATS server for pages: docs/Documentation.docc/NATSServer.md."""

import dataclasses
import json


@dataclasses.dataclass(frozen=True)
class User:
    """A user of the server. The prefixes are of keys, such as `public.`; an empty one matches
    all."""

    name: str
    password: str
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()  # in addition to the written ones


VISITOR = User("visitor", "visitor", writes=("public.", "presence."))
READER = User("reader", "reader", reads=("public.", "presence."))


def person(name):
    """Returns a user with a prefix of its own and access to the common prefix `public.`."""
    return User(name, name, writes=(f"{name}.", "public."), reads=("presence.",))


@dataclasses.dataclass(frozen=True)
class Node:
    """A server's name and ports. The route port, for the cluster, is 0 for a single server."""

    name: str
    client: int
    websocket: int
    route: int = 0


def permissions(user, bucket):
    """Returns the subjects that a user may publish and receive."""
    writes = [f"$KV.{bucket}.{prefix}>" for prefix in user.writes]
    reads = writes + [f"$KV.{bucket}.{prefix}>" for prefix in user.reads]
    publish = writes + [f"$JS.API.DIRECT.GET.KV_{bucket}.{subject}" for subject in reads]
    publish += [f"KVAPI.CREATE.*.{subject}" for subject in reads] + [f"$JS.FC.KV_{bucket}.>"]
    return publish, [f"_INBOX_{user.name}.>", f"watch.{user.name}.>"]


def configuration(servers, node):
    """Returns the text of one node's file."""
    # Older servers do not have this setting: a power cut may lose the commits of two minutes.
    syncs = ["  sync_interval: always"] if servers.version >= (2, 10, 0) else []
    lines = [
        f"server_name: {node.name}",
        f'listen: "127.0.0.1:{node.client}"',
        "websocket {",
        f'  listen: "{servers.host}:{node.websocket}"',
        "  no_tls: true",
        f"  allowed_origins: {json.dumps(list(servers.origins))}",
        *(['  jwt_cookie: "nats"'] if servers.tokens else []),
        "}",
        "jetstream {",
        f"  store_dir: {json.dumps(node.name)}",  # beside the file, in which the server runs
        *syncs,
        "}",
        *(cluster(node, servers.nodes, servers.admin.password) if node.route else []),
        *(servers.tokens.lines if servers.tokens else accounts(servers)),
    ]
    return "\n".join(lines) + "\n"


def services(bucket):
    """Returns the requests that users may make of the data account, and their other names."""
    return [
        (f"$KV.{bucket}.>", ""),
        (f"$JS.API.DIRECT.GET.KV_{bucket}.>", ""),
        (f"$JS.API.CONSUMER.CREATE.KV_{bucket}.>", "KVAPI.CREATE.>"),
        (f"$JS.FC.KV_{bucket}.>", ""),
    ]


def accounts(servers):
    return [
        "accounts {",
        "  STORE {",
        "    jetstream: enabled",
        f'    users: [{{ user: admin, password: "{servers.admin.password}" }}]',
        "    exports: [",
        *[f'      {{ service: "{subject}" }}' for subject, _ in services(servers.bucket)],
        '      { stream: "watch.>" }',
        "    ]",
        "  }",
        "  PAGES {",
        "    users: [",
        *[line for user in servers.users for line in user_lines(user, servers.bucket)],
        "    ]",
        "    imports: [",
        *[service_import(subject, to) for subject, to in services(servers.bucket)],
        '      { stream: { account: STORE, subject: "watch.>" } }',
        "    ]",
        "  }",
        "}",
    ]


def cluster(node, nodes, secret):
    routes = [f'"nats://route:{secret}@127.0.0.1:{one.route}"' for one in nodes if one != node]
    return [
        "cluster {",
        "  name: pages",
        f'  listen: "127.0.0.1:{node.route}"',
        f'  authorization {{ user: route, password: "{secret}" }}',
        f"  routes: [{', '.join(routes)}]",
        "}",
    ]


def user_lines(user, bucket):
    publish, subscribe = permissions(user, bucket)
    return [
        f"      {{ user: {json.dumps(user.name)}, password: {json.dumps(user.password)}",
        "        permissions {",
        f"          publish {{ allow: {json.dumps(publish)} }}",
        f"          subscribe {{ allow: {json.dumps(subscribe)} }}",
        "        } }",
    ]


def service_import(subject, to):
    to = f', to: "{to}"' if to else ""
    return f'      {{ service: {{ account: STORE, subject: "{subject}" }}{to} }}'
