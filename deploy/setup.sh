# The steps of `pbm setup`, for root on Debian 12 or newer, with the release in /opt/pbm. They can be
# run again: they keep what exists. Each step is one line; tests/host types them.
[ -x /opt/pbm/bin/pbm ] || { echo "First install the release into /opt/pbm (deploy/README.md)."; exit 1; }
cd "$DEPLOY"

# The programs that pbm needs
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends postgresql postfix ssl-cert ca-certificates

# The user and its folders, and a command `pbm` for root that runs as this user with these settings
id pbm >/dev/null 2>&1 || useradd --system --user-group --home-dir /var/lib/pbm --no-create-home --shell /usr/sbin/nologin pbm
install -d -o pbm -g pbm -m 700 /var/lib/pbm /var/backups/pbm
install -m 755 pbm.sh /usr/local/bin/pbm

# Only root and the service can read the settings, because they may contain a password
install -d -o root -g pbm -m 750 /etc/pbm
[ -e /etc/pbm/pbm.toml ] || sed "s/games\.example\.org/$DOMAIN/; s/you@example\.org/$OPERATOR/" pbm.toml | install -o root -g pbm -m 640 /dev/stdin /etc/pbm/pbm.toml

# The key that signs email (DKIM). If your MTA signs, delete dkim_key from the settings afterwards
[ -e /var/lib/pbm/dkim.pem ] || pbm dkim new /var/lib/pbm/dkim.pem

# The role needs no password: PostgreSQL knows which user connects to its socket (peer)
runuser -u postgres -- psql -tAc '\du pbm' | grep -q pbm || runuser -u postgres -- createuser pbm
runuser -u postgres -- psql -tAc '\l pbm' | grep -q pbm || runuser -u postgres -- createdb --owner pbm --encoding UTF8 --locale C.UTF-8 --template template0 pbm
pbm db upgrade

# The web pages, outside the folder of the database. You can add a web server (docs/operations.md, "The site")
install -d -m 755 /var/www
install -d -o pbm -g pbm -m 755 /var/www/pbm
pbm site build

# The group postdrop lets pbm see the queue of Postfix
usermod -aG postdrop pbm

# Only Postfix can reach the socket in this folder, through its group; its LMTP client runs in a chroot there
install -d -o pbm -g postfix -m 2750 /var/spool/postfix/pbm
postconf -e "myhostname = $HOST"
postconf -e 'mydestination = $myhostname, localhost'
# Only this host may send email to other servers
postconf -e 'mynetworks = 127.0.0.0/8 [::ffff:127.0.0.0]/104 [::1]/128'
postconf -e 'smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination'
postconf -e 'inet_interfaces = all'
postconf -e 'recipient_delimiter = +'
# A little less than the 1 MiB that pbm accepts, because each host on the way adds lines
postconf -e 'message_size_limit = 1000000'
# Only CR LF . CR LF ends a message: otherwise a second one could be smuggled in behind it
postconf -e 'smtpd_forbid_bare_newline = yes' 'smtpd_forbid_unauth_pipelining = yes'
# The domain has two addresses for pbm, and two that every domain must have, which the operator reads
postconf -e "virtual_mailbox_domains = $DOMAIN"
postconf -e "virtual_mailbox_maps = inline:{ pbm@$DOMAIN=pbm, bounce@$DOMAIN=pbm }"
postconf -e "virtual_alias_maps = inline:{ postmaster@$DOMAIN=$OPERATOR, abuse@$DOMAIN=$OPERATOR }"
postconf -e 'virtual_transport = lmtp:unix:pbm/lmtp'
# TLS with Debian's own certificate, unless there is another one
make-ssl-cert generate-default-snakeoil
postconf -e 'smtpd_tls_security_level = may' 'smtp_tls_security_level = may'
[ -n "$(postconf -h smtpd_tls_cert_file smtpd_tls_chain_files | tr -d '\n')" ] || postconf -e 'smtpd_tls_cert_file = /etc/ssl/certs/ssl-cert-snakeoil.pem' 'smtpd_tls_key_file = /etc/ssl/private/ssl-cert-snakeoil.key'
grep -q '^root:' /etc/aliases || echo "root: $OPERATOR" >> /etc/aliases
newaliases
systemctl restart postfix

# The service, a backup now and each night, and copies of the keys, for you to copy to another host
install -m 644 pbm.service pbm@.service pbm-site.service pbm-backup.service pbm-backup.timer /etc/systemd/system/
systemctl daemon-reload
systemctl enable --now pbm.service
systemctl enable --now pbm-site.service
systemctl enable --now pbm-backup.timer
systemctl start pbm-backup.service
install -d -m 700 /root/pbm-keys
install -m 600 /var/lib/pbm/secret.key /var/lib/pbm/dkim.pem /root/pbm-keys

# What still needs attention, and the DNS records
pbm doctor || true
pbm doctor --dns || true
