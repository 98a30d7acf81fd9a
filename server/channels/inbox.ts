// This file also runs in an Edge Function of a hosted project, so it imports no module of node:.

/** Mailbox for replies of customers. */
export interface Inbox {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly needsTls: boolean;
  readonly user: string;
  readonly pass: string;
  readonly mailbox: string;
  /** Address from which this server sends mail to customers. */
  readonly own: string;
  /**
   * Name of the mail provider in the header Authentication-Results (RFC 8601). In this header the provider states
   * whether a sender's address is genuine.
   */
  readonly authserv: string;
}

/**
 * Reads the mailbox for replies. Returns undefined for a wrong address, because the message of an error would contain
 * the password.
 */
export function readInbox(value: string): Omit<Inbox, 'own' | 'authserv'> | undefined {
  const url = URL.parse(value);
  if (!url || !/^imaps?:$/.test(url.protocol) || !url.hostname || !url.username || !url.password) return undefined;
  try {
    const [user, pass, box] = [url.username, url.password, url.pathname.slice(1)].map(decodeURIComponent);
    const secure = url.protocol === 'imaps:';
    const port = Number(url.port) || (secure ? 993 : 143);
    // Without TLS anybody between this server and the mail server could read the password.
    const needsTls = !secure && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
    const host = url.hostname.replaceAll(/[[\]]/g, '');
    return { host, port, secure, needsTls, user: user!, pass: pass!, mailbox: box || 'INBOX' };
  } catch {
    return undefined;
  }
}
