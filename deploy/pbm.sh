#!/bin/sh
# /usr/local/bin/pbm: the command as the user pbm and with the settings of this host, for root.
export PBM_CONFIG="${PBM_CONFIG:-/etc/pbm/pbm.toml}"
[ "$(id -un)" = pbm ] && exec /opt/pbm/bin/pbm "$@"
exec runuser -u pbm -- /opt/pbm/bin/pbm "$@"
