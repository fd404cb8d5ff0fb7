# The steps of `pbm setup`, as root on Debian 12 or newer, with the release in /opt/pbm. They can be
# done again: what is there stays. Each is one line, which tests/host types.
[ -x /opt/pbm/bin/pbm ] || { echo "First install the release into /opt/pbm (deploy/README.md)."; exit 1; }
cd "$DEPLOY"

# What runs beside pbm
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends postgresql postfix ssl-cert ca-certificates

# The user and its folders; and `pbm` as a command of root's that runs as this user with these settings
id pbm >/dev/null 2>&1 || useradd --system --user-group --home-dir /var/lib/pbm --no-create-home --shell /usr/sbin/nologin pbm
install -d -o pbm -g pbm -m 700 /var/lib/pbm /var/backups/pbm
install -m 755 pbm.sh /usr/local/bin/pbm

# The settings may hold a password, so only root and the service read them
install -d -o root -g pbm -m 750 /etc/pbm
[ -e /etc/pbm/pbm.toml ] || sed "s/games\.example\.org/$DOMAIN/; s/you@example\.org/$OPERATOR/" pbm.toml | install -o root -g pbm -m 640 /dev/stdin /etc/pbm/pbm.toml

# The key that signs mails (DKIM): if your MTA signs, take dkim_key out of the settings afterwards
[ -e /var/lib/pbm/dkim.pem ] || pbm dkim new /var/lib/pbm/dkim.pem

# The role needs no password: PostgreSQL knows the user at the other end of its socket (peer)
runuser -u postgres -- psql -tAc '\du pbm' | grep -q pbm || runuser -u postgres -- createuser pbm
runuser -u postgres -- psql -tAc '\l pbm' | grep -q pbm || runuser -u postgres -- createdb --owner pbm --encoding UTF8 --locale C.UTF-8 --template template0 pbm
pbm db upgrade

# The web pages, outside of the folder of the database; a web server is yours to add (docs/operations.md, "The site")
install -d -m 755 /var/www
install -d -o pbm -g pbm -m 755 /var/www/pbm
pbm site build

# pbm sees the queue of Postfix by the group postdrop
usermod -aG postdrop pbm

# Postfix reaches the socket in this folder by its group, and nobody else does; its LMTP client is locked up there
install -d -o pbm -g postfix -m 2750 /var/spool/postfix/pbm
postconf -e "myhostname = $HOST"
postconf -e 'mydestination = $myhostname, localhost'
# Only this host may send to the world
postconf -e 'mynetworks = 127.0.0.0/8 [::ffff:127.0.0.0]/104 [::1]/128'
postconf -e 'smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination'
postconf -e 'inet_interfaces = all'
postconf -e 'recipient_delimiter = +'
# A little less than the 1 MiB that pbm takes, since each host on the way adds lines
postconf -e 'message_size_limit = 1000000'
# No end of a mail that other hosts take for its text: a second mail could be smuggled in behind it
postconf -e 'smtpd_forbid_bare_newline = yes' 'smtpd_forbid_unauth_pipelining = yes'
# The domain has two addresses for pbm, and two that everybody must have, which the operator reads
postconf -e "virtual_mailbox_domains = $DOMAIN"
postconf -e "virtual_mailbox_maps = inline:{ pbm@$DOMAIN=pbm, bounce@$DOMAIN=pbm }"
postconf -e "virtual_alias_maps = inline:{ postmaster@$DOMAIN=$OPERATOR, abuse@$DOMAIN=$OPERATOR }"
postconf -e 'virtual_transport = lmtp:unix:pbm/lmtp'
# TLS for whoever offers it, by Debian's own certificate, unless there is another
make-ssl-cert generate-default-snakeoil
postconf -e 'smtpd_tls_security_level = may' 'smtp_tls_security_level = may'
[ -n "$(postconf -h smtpd_tls_cert_file smtpd_tls_chain_files | tr -d '\n')" ] || postconf -e 'smtpd_tls_cert_file = /etc/ssl/certs/ssl-cert-snakeoil.pem' 'smtpd_tls_key_file = /etc/ssl/private/ssl-cert-snakeoil.key'
grep -q '^root:' /etc/aliases || echo "root: $OPERATOR" >> /etc/aliases
newaliases
systemctl restart postfix

# The service, a backup now and each night, and copies of the keys, for you to take elsewhere
install -m 644 pbm.service pbm@.service pbm-site.service pbm-backup.service pbm-backup.timer /etc/systemd/system/
systemctl daemon-reload
systemctl enable --now pbm.service
systemctl enable --now pbm-site.service
systemctl enable --now pbm-backup.timer
systemctl start pbm-backup.service
install -d -m 700 /root/pbm-keys
install -m 600 /var/lib/pbm/secret.key /var/lib/pbm/dkim.pem /root/pbm-keys

# What is not in order yet; and the records that the DNS needs
pbm doctor || true
pbm doctor --dns || true
