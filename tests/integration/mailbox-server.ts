import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../free-port.ts';
import { listening } from '../listening.ts';
import { scratchFolder } from '../scratch.ts';

/** False on machines without Dovecot (Debian: apt-get install dovecot-imapd). */
export const hasDovecot = spawnSync('dovecot', ['--version'], { encoding: 'utf8' }).stdout?.startsWith('2.3') ?? false;
if (!hasDovecot) console.warn('NOT TESTED: replies by mail. Dovecot 2.3 is not on this machine (dovecot-imapd).');

export const PASSWORD = 'contraseña-del-buzón';
const isRoot = process.getuid?.() === 0;
/** User whose mail Dovecot serves. Dovecot refuses to serve root’s mail. */
const [user, group, id] = isRoot
  ? ['nobody', 'nogroup', 65_534]
  : [userInfo().username, userInfo().username, undefined];

const configuration = (folder: string, port: number) => `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
mail_location = maildir:${folder}/mail/%u
default_internal_user = ${user}
default_login_user = ${user}
default_internal_group = ${group}
first_valid_uid = 1
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${folder}/home/%u
}
`;

/** Opens a mailbox on a real IMAP server, behind a proxy that can cut the connection. */
export async function openMailbox() {
  const folder = await mkdtemp(path.join(scratchFolder(), 'aeropuente-mailbox-'));
  await chmod(folder, 0o755);
  const box = path.join(folder, 'mail/ventas');
  const make = (place: string) => {
    mkdirSync(place, { recursive: true });
    if (id) chownSync(place, id, id);
  };
  for (const place of ['run', 'home', 'mail']) make(path.join(folder, place));
  for (const place of ['', 'cur', 'new', 'tmp']) make(path.join(box, place));
  if (id) chownSync(folder, id, id);
  const port = await freePort();
  const file = path.join(folder, 'dovecot.conf');
  writeFileSync(file, configuration(folder, port));
  const server = spawn('dovecot', ['-F', '-c', file], { stdio: 'ignore', ...(id && { uid: id, gid: id }) });
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      const probe = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      probe.once('data', () => probe.destroy());
    });
  while (!(await isUp()) && server.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50));

  const sockets = new Set<Socket>();
  let losses = 0;
  const line = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => (sockets.delete(one), other.destroy()));
      one.pipe(other);
    }
    near.on('data', (chunk: Buffer) => {
      if (losses > 0 && chunk.includes('BODY.PEEK[] ')) {
        losses -= 1;
        near.destroy();
      }
    });
  });
  const { host } = new URL(await listening(line));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  async function close(): Promise<void> {
    cut();
    line.close();
    const gone = once(server, 'exit');
    server.kill();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    url: `imap://ventas:${encodeURIComponent(PASSWORD)}@${host}/INBOX`,
    /** Delivers a mail as a mail server does: writes it to another folder, then moves it. */
    deliver(mail: string | Buffer) {
      const name = `${randomUUID()}.test`;
      const from = path.join(box, 'tmp', name);
      writeFileSync(from, mail);
      if (id) chownSync(from, id, id);
      renameSync(from, path.join(box, 'new', name));
    },
    /** Gives all mails new numbers, as a restored mailbox does. */
    renumber() {
      cut();
      for (const each of readdirSync(box))
        if (each.startsWith('dovecot')) rmSync(path.join(box, each), { force: true });
    },
    cut,
    /** Cuts the connection at each of the next `count` requests for a whole mail. */
    loseFetches(count: number) {
      losses = count;
    },
    close,
  };
}

/** Opens a mailbox that is closed at the end of the test. */
export async function mailbox() {
  const opened = await openMailbox();
  onTestFinished(opened.close);
  return opened;
}
