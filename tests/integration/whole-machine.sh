#!/bin/sh
# Runs in its own namespaces (unshare --mount --net --pid), with private /etc, /run, /srv and /var/lib. A substitute for
# systemd starts the program of the unit as its user, and Debian's Caddy.
set -e
release=$1 scratch=$2
cp -a /etc "$scratch/etc"
mount --bind "$scratch/etc" /etc
for folder in /run /srv /var/lib /usr/local/bin; do mount -t tmpfs none "$folder"; done
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
    # Caddy signs the certificate itself, because no public authority can reach this machine.
    { printf '{\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n}\n'; cat /etc/caddy/aeropuente.caddy; } >"$SCRATCH/Caddyfile"
    setsid caddy run --adapter caddyfile --config "$SCRATCH/Caddyfile" >>"$SCRATCH/caddy.log" 2>&1 &
    ;;
esac
STAND_IN
chmod +x "$scratch/bin/systemctl"
export SCRATCH="$scratch" XDG_DATA_HOME="$scratch" XDG_CONFIG_HOME="$scratch" PATH="$scratch/bin:$PATH"

# This first run of Caddy makes a certificate authority. Node reads trusted certificates only when it starts, so the
# authority must exist before the installation starts Node.
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
# An earlier release ran commands through npm, which left logs like this one.
mkdir -p /var/lib/aeropuente/.npm/_logs
echo maria@berries.mx >/var/lib/aeropuente/.npm/_logs/1.log
echo '== install'
/srv/aeropuente/bin/aeropuente install --domain cotiza.aeropuente.test --backups /var/lib/respaldos
unset NODE_EXTRA_CA_CERTS
mkdir -m 0700 "$scratch/root"
cd "$scratch/root"
echo '== command'
aeropuente staff add ana@ejemplo.mx
cat >quote.json <<QUOTE
$QUOTE
QUOTE
curl -sS --fail -H 'apikey: aeropuente-public' -H 'content-type: application/json' --data @quote.json http://127.0.0.1:4173/rest/v1/quotes
rm quote.json
aeropuente backup "$(aeropuente backup | sed 's/ contains .*//').2" >/dev/null
echo '== person'
aeropuente personas export maria@berries.mx --to maria.json >/dev/null
aeropuente personas block maria@berries.mx --receipt block.txt 2>&1
aeropuente personas erase maria@berries.mx --receipt erase.txt 2>&1
echo '== files'
stat -c '%a %U:%G %n' *
echo '== left'
grep -rl 'maria@berries.mx' /var/lib/aeropuente || true
echo '== tried'
cp /var/lib/respaldos/*.2 .
chmod 600 ./*.2
aeropuente restore --check ./*.2
cd /srv/aeropuente
echo '== owners'
find /var/lib/aeropuente /var/lib/respaldos -not -user aeropuente
stat -c '%a %U:%G %n' /etc/aeropuente/settings.env /var/lib/aeropuente /etc/systemd/system/aeropuente.service
readlink .env
readlink /usr/local/bin/aeropuente
echo '== port'
aeropuente install --domain cotiza.aeropuente.test 2>&1 || true
