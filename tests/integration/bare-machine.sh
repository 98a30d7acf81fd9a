#!/bin/sh
# Installs the Debian package on a copy of this machine without Node, npm and network: an overlay in its own namespaces
# (unshare --mount --net --pid). A substitute for systemd starts the service. The steps are a quote, an erasure, faults,
# an upgrade, the return to the earlier release, and the removal.
set -e
package=$1 next=$2 scratch=$3
root="$scratch/root"
mkdir -p "$scratch/upper" "$scratch/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$scratch/upper,workdir=$scratch/work" "$root"
cp "$package" "$root/root/aeropuente.deb"
cp "$next" "$root/root/next.deb"
mount --bind /dev "$root/dev"
mount -t proc proc "$root/proc"
for folder in run tmp var/lib/aeropuente var/backups; do
  mkdir -p "$root/$folder"
  mount -t tmpfs none "$root/$folder"
done
chmod 1777 "$root/tmp"
mkdir -p "$root/run/systemd/system"
ip link set lo up 2>/dev/null || ifconfig lo up
rm -f "$root/usr/bin/node" "$root/usr/bin/nodejs" "$root/usr/bin/npm" "$root/usr/bin/npx"
rm -rf "$root/usr/local/bin"/* "$root/etc/caddy"
cat >"$root/usr/bin/systemctl" <<'STAND_IN'
#!/bin/sh
unit=/usr/lib/systemd/system/aeropuente.service
of() { sed -n "s/^$1=//p" "$unit"; }
case "$*" in
  'restart aeropuente' | 'start aeropuente')
    systemctl stop aeropuente
    cd "$(of WorkingDirectory)"
    runuser -u "$(of User)" -- $(of ExecStart) >>/run/log 2>&1 &
    echo $! >/run/pid
    ;;
  'stop aeropuente')
    test -e /run/pid || exit 0
    kill "$(cat /run/pid)" 2>/dev/null || true
    while kill -0 "$(cat /run/pid)" 2>/dev/null; do sleep 0.1; done
    ;;
esac
STAND_IN
chmod 0755 "$root/usr/bin/systemctl"
cat >"$root/usr/bin/journalctl" <<'STAND_IN'
#!/bin/sh
tail -n 50 /run/log
STAND_IN
chmod 0755 "$root/usr/bin/journalctl"
exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=es_MX.UTF-8 QUOTE="$QUOTE" /bin/sh -e <<'MACHINE'
cd /root
send() { printf %s "$QUOTE" | sed "s/$1/$2/" >quote.json; curl -sS --fail -H 'apikey: aeropuente-public' -H 'content-type: application/json' --data @quote.json http://127.0.0.1:4173/rest/v1/quotes; rm quote.json; }
part() { echo "== $1"; }
part install
dpkg -i aeropuente.deb 2>/dev/null | grep -v '^(Reading\|^Selecting\|^Preparing\|^Unpacking\|^Setting up\|^Processing'
part quote
send nothing nothing
aeropuente quotes | tail -n 1 | cut -c1-3
part owners
stat -c '%a %U:%G %n' /etc/aeropuente/settings.env /var/lib/aeropuente /var/backups/aeropuente
dpkg-query --show --showformat '${Conffiles}\n' aeropuente | sed 's/ [0-9a-f]*$//'
part erase
aeropuente backup
mkdir -m 0700 personas
cd personas
aeropuente personas block maria@berries.mx --receipt block.txt 2>&1
aeropuente personas erase maria@berries.mx --receipt erase.txt 2>&1
cd ..
grep -rl 'maria@berries.mx' /var/lib/aeropuente || echo nothing
part wrong
cp /etc/aeropuente/settings.env settings.env
echo 'BACKUP_EVERY=diario' >>/etc/aeropuente/settings.env
systemctl stop aeropuente
cd /usr/lib/aeropuente
runuser -u aeropuente -- $(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/aeropuente.service) 2>&1 || echo "exit $?"
cd /root
cp settings.env /etc/aeropuente/settings.env
part lost
rm /var/lib/aeropuente/database/PG_VERSION
mv /var/lib/aeropuente/database /var/lib/aeropuente/database.mala
aeropuente restore "$(ls /var/backups/aeropuente/aeropuente-*.tar.gz | tail -n 1)"
systemctl start aeropuente
until curl -sf http://127.0.0.1:4173/healthz >/dev/null; do sleep 0.2; done
send '"id":"........' '"id":"aaaaaaaa'
part check
echo '# mine' >>/etc/aeropuente/settings.env
mkdir /opt/next
dpkg-deb -x next.deb /opt/next
/opt/next/usr/lib/aeropuente/bin/aeropuente upgrade check | tail -n 1
part upgrade
dpkg -i next.deb >/dev/null 2>&1
dpkg-query --show --showformat '${Version}\n' aeropuente
tail -n 1 /etc/aeropuente/settings.env
curl -sf http://127.0.0.1:4173/healthz | cut -c1-16
part back
systemctl stop aeropuente
aeropuente upgrade back | head -n 1
dpkg -i aeropuente.deb >/dev/null 2>&1
dpkg-query --show --showformat '${Version}\n' aeropuente
curl -sf http://127.0.0.1:4173/healthz | cut -c1-16
part doctor
aeropuente doctor | grep '^✓' | cut -d: -f1
part removed
dpkg -r aeropuente >/dev/null 2>&1
ls /usr/lib/aeropuente /usr/bin/aeropuente 2>/dev/null || echo gone
ls /var/lib/aeropuente | head -n 1
MACHINE
