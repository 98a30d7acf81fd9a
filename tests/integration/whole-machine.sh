#!/bin/sh
# In namespaces of its own (unshare --mount --net --pid): a machine whose /etc, /run, /srv and /var/lib nobody else sees,
# with a stand-in for systemd that starts what the unit says, as its user, and Debian's Caddy.
set -e
release=$1 scratch=$2
cp -a /etc "$scratch/etc"
mount --bind "$scratch/etc" /etc
for folder in /run /srv /var/lib; do mount -t tmpfs none "$folder"; done
ip link set lo up 2>/dev/null || ifconfig lo up
mkdir -p /run/systemd/system /etc/caddy "$scratch/bin"
echo '127.0.0.1 localhost cotiza.aeropuente.test' >/etc/hosts
rm -f /etc/caddy/Caddyfile
cp -a "$release" /srv/aeropuente
rm -f /srv/aeropuente/.env

cat >"$scratch/bin/systemctl" <<'STAND_IN'
#!/bin/sh
echo "$*" >>"$SCRATCH/orders"
of() { sed -n "s/^$1=//p" /etc/systemd/system/aeropuente.service; }
case "$*" in
  is-active*) exit 3 ;;
  'restart aeropuente')
    cd "$(of WorkingDirectory)"
    setsid runuser -u "$(of User)" -- $(of ExecStart) >>"$SCRATCH/log" 2>&1 &
    ;;
  'reload-or-restart caddy')
    # The world's authority is not asked: Caddy signs by itself.
    { printf '{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n}\n'; cat /etc/caddy/Caddyfile; } >"$SCRATCH/Caddyfile"
    setsid caddy run --adapter caddyfile --config "$SCRATCH/Caddyfile" >>"$SCRATCH/caddy.log" 2>&1 &
    ;;
esac
STAND_IN
chmod +x "$scratch/bin/systemctl"
export SCRATCH="$scratch" XDG_DATA_HOME="$scratch" XDG_CONFIG_HOME="$scratch" PATH="$scratch/bin:$PATH"

# Caddy's authority must be there before who is to trust it starts.
printf '{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n\thttp_port 8080\n\thttps_port 8443\n}\nlocalhost {\n}\n' >"$scratch/first"
caddy run --adapter caddyfile --config "$scratch/first" >"$scratch/caddy.log" 2>&1 &
first=$!
authority="$scratch/caddy/pki/authorities/local/root.crt"
while ! test -s "$authority"; do sleep 0.1; done
kill $first
wait $first || true
export NODE_EXTRA_CA_CERTS="$authority"

cd /srv/aeropuente
mkdir /var/lib/respaldos
echo '== install'
npm run -s install-service -- --domain cotiza.aeropuente.test --backups /var/lib/respaldos
echo '== command'
runuser -u aeropuente -- npm run -s staff -- add ana@ejemplo.mx
echo '== owners'
find /var/lib/aeropuente /var/lib/respaldos -not -user aeropuente
stat -c '%a %U:%G %n' /etc/aeropuente/settings.env /var/lib/aeropuente /etc/systemd/system/aeropuente.service
readlink .env
echo '== port'
npm run -s install-service -- --domain cotiza.aeropuente.test 2>&1 || true
