/** What a machine is told so that AeroPuente runs there by itself, behind Caddy. */
export interface Installation {
  /** Under which the site is published, without `https://`. */
  readonly domain: string;
  /** What was unpacked. */
  readonly folder: string;
  readonly node: string;
  readonly user: string;
  readonly dataDir: string;
  readonly backupDir: string | undefined;
  readonly port: number;
  readonly memory: string;
}

export const SETTINGS = '/etc/aeropuente/settings.env';
export const UNIT = '/etc/systemd/system/aeropuente.service';
/** The same in the Debian package. */
export const UNIT_OF_PACKAGE = '/usr/lib/systemd/system/aeropuente.service';

/** The service's user, whose the data are. */
export const USER = 'aeropuente';

const START = '--max-semi-space-size=4 --import ./build/dotenv.ts server/main.ts';

/** The settings that a first installation begins with; from then on the file is the operator's. */
export function settingsFile({ port, dataDir, backupDir }: Installation): string {
  return `# AeroPuente's settings, read with each start and each command; all of them are in docs/operating.md
PORT=${port}
HOST=127.0.0.1
DATA_DIR=${dataDir}
# Caddy stands in front, and says whose request it is
TRUST_PROXY=1
# A folder on another disk, where backups make themselves
BACKUP_DIR=${backupDir ?? ''}
`;
}

export function unitFile({ folder, node, user, dataDir, backupDir, memory }: Installation): string {
  // A disk for backups that is not there costs the backups, and no quote.
  const writable = [quoted(dataDir), ...(backupDir ? [quoted(`-${backupDir}`)] : [])].join(' ');
  return `# Written by "aeropuente install": what is changed here is gone after an upgrade. Use "systemctl edit aeropuente".
[Unit]
Description=AeroPuente: the site and its quotes
Documentation=file:${folder}/docs/operar.md
Wants=network-online.target
After=network-online.target
# It is tried again for ever: a quote is waiting on a phone.
StartLimitIntervalSec=0

[Service]
Type=exec
User=${user}
Group=${user}
WorkingDirectory=${folder}
ExecStart=${node} ${START}
Environment=NODE_ENV=production
# The log is in English, as docs/operar.md quotes it.
Environment=LC_MESSAGES=C
Restart=always
RestartSec=2
# A setting that cannot be meant is for the operator: the unit fails, and its log has the sentence.
RestartPreventExitStatus=78
# Requests under way are answered, and the database is closed.
TimeoutStopSec=30
# The first start makes the database, and takes up to 1.2 GB for a second; later it is 0.3 to 0.5.
MemoryMax=${memory}
TasksMax=128
LimitNOFILE=8192

UMask=0077
ReadWritePaths=${writable}
ProtectSystem=strict
ProtectHome=true
PrivateTmp=true
PrivateDevices=true
ProtectClock=true
ProtectControlGroups=true
ProtectHostname=true
ProtectKernelLogs=true
ProtectKernelModules=true
ProtectKernelTunables=true
ProtectProc=invisible
NoNewPrivileges=true
CapabilityBoundingSet=
AmbientCapabilities=
LockPersonality=true
RemoveIPC=true
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=true
RestrictRealtime=true
RestrictSUIDSGID=true
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
# No MemoryDenyWriteExecute: V8 and WebAssembly compile as they run.

[Install]
WantedBy=multi-user.target
`;
}

/** systemd takes what stands between spaces for a path of its own. */
const quoted = (path: string) => (/\s/.test(path) ? `"${path}"` : path);

/** Caddyfile in place of Debian's own, written once. */
export const CADDYFILE =
  '# Other sites of this machine may stand here. AeroPuente is in the file beside it\nimport aeropuente.caddy\n';

/** Largest body that Caddy takes: a part of a file, as LIMIT_PART_BYTES has it. */
const LARGEST_BODY = '128KiB';

/** Rule by which Caddy waits for a whole body. Debian's 2.6.2 has another name for it than 2.6.4 and newer. */
export function bufferRule(version: string): string {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, '').split('.').map(Number.parseFloat);
  const isNew = major > 2 || (major === 2 && (minor > 6 || (minor === 6 && patch >= 4)));
  return isNew ? `request_buffers ${LARGEST_BODY}` : `buffer_requests\n\t\tmax_buffer_size ${LARGEST_BODY}`;
}

/** Rules for Caddy of this version. It writes no log, which would hold each visitor's address. */
export function caddySite({ domain, port }: Pick<Installation, 'domain' | 'port'>, version: string): string {
  return `# Written by "aeropuente install": what is changed here is gone after an upgrade. Other sites belong into Caddyfile
${domain} {
	# For the commands of this machine alone.
	respond /backup 404
	request_body {
		max_size ${LARGEST_BODY}
	}
	reverse_proxy 127.0.0.1:${port} {
		# A slow body waits here and holds no connection of the server.
		${bufferRule(version)}
		# What a visitor wrote there says nothing: this is who asks.
		header_up X-Forwarded-For {remote_host}
		# While the server starts anew, visitors wait for it. A quote that comes then is sent again by its phone.
		lb_try_duration 10s
		transport http {
			# Shorter than the server keeps its own, so that none writes into a closing connection.
			keepalive 60s
		}
	}
}
`;
}
