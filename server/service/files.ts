export interface Installation {
  /** Domain of the published site, without `https://`. */
  readonly domain: string;
  /** Folder of the unpacked release. */
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
export const UNIT_OF_PACKAGE = '/usr/lib/systemd/system/aeropuente.service';

/** User of the service, who owns the data. */
export const USER = 'aeropuente';

const START = '--max-semi-space-size=4 --import ./build/dotenv.ts server/main.ts';

/** Settings file of a first installation. Later installations do not change it. */
export function settingsFile({ port, dataDir, backupDir }: Installation): string {
  return `# Settings of AeroPuente, read by the service and its commands. The whole list: docs/operating.md
PORT=${port}
HOST=127.0.0.1
DATA_DIR=${dataDir}
# Number of proxies in front: Caddy, which passes on the visitor's address
TRUST_PROXY=1
# Folder on another disk, where the server makes backups
BACKUP_DIR=${backupDir ?? ''}
`;
}

export function unitFile({ folder, node, user, dataDir, backupDir, memory }: Installation): string {
  // A minus before the path lets the service start even if the disk for backups is missing.
  const writable = [quoted(dataDir), ...(backupDir ? [quoted(`-${backupDir}`)] : [])].join(' ');
  return `# Written by "aeropuente install", which replaces it in an upgrade. For changes: systemctl edit aeropuente
[Unit]
Description=AeroPuente: the site and its quotes
Documentation=file:${folder}/docs/operar.md
Wants=network-online.target
After=network-online.target
# Restarts without limit, because quotes may wait on phones.
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
# No restart after a wrong setting, which only the operator can correct.
RestartPreventExitStatus=78
# Time to answer pending requests and close the database.
TimeoutStopSec=30
# The first start takes up to 1.2 GB for a second, to create the database; later 0.3 to 0.5 GB.
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
# Without MemoryDenyWriteExecute, because V8 and WebAssembly compile at run time.

[Install]
WantedBy=multi-user.target
`;
}

/** Puts a path with spaces in quotation marks, because systemd would split it. */
const quoted = (path: string) => (/\s/.test(path) ? `"${path}"` : path);

/** Caddyfile that replaces Debian's Caddyfile, unless the operator has changed that file. */
export const CADDYFILE =
  '# Add other sites of this machine here. AeroPuente has a file of its own\nimport aeropuente.caddy\n';

/** Largest body that Caddy accepts: a part of a file, as in LIMIT_PART_BYTES. */
const LARGEST_BODY = '128KiB';

/** Returns the rule that makes Caddy buffer bodies. The rule's name changed in Caddy 2.6.4; Debian has 2.6.2. */
function bufferRule(version: string): string {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, '').split('.').map(Number.parseFloat);
  const isNew = major > 2 || (major === 2 && (minor > 6 || (minor === 6 && patch >= 4)));
  return isNew ? `request_buffers ${LARGEST_BODY}` : `buffer_requests\n\t\tmax_buffer_size ${LARGEST_BODY}`;
}

/** Rules of the site for a version of Caddy. They write no log, which would contain visitors' addresses. */
export function caddySite({ domain, port }: Pick<Installation, 'domain' | 'port'>, version: string): string {
  return `# Written by "aeropuente install", which replaces it in an upgrade. Add other sites to Caddyfile
${domain} {
	# Only commands on this machine may read /backup.
	respond /backup 404
	request_body {
		max_size ${LARGEST_BODY}
	}
	reverse_proxy 127.0.0.1:${port} {
		# Caddy collects a slow body first, so that it occupies no connection to the server.
		${bufferRule(version)}
		# Replaces the header, which a visitor can forge.
		header_up X-Forwarded-For {remote_host}
		# While the server restarts, visitors wait, and phones send quotes again.
		lb_try_duration 10s
		transport http {
			# Shorter than the server's own limit, so that Caddy never writes into a connection that the server is closing.
			keepalive 60s
		}
	}
}
`;
}
