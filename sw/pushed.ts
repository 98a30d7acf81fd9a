interface Pushed {
  readonly notification?: Pick<Notification, 'title' | 'body' | 'lang' | 'tag'> & {
    readonly navigate: string;
    readonly data: { readonly message: string };
  };
  readonly app_badge?: number | null;
}

/**
 * Returns the content of a push message. iPhones show some messages by themselves; such a message contains only the
 * notification, not JSON data.
 */
export function pushedIn({ data, notification, appBadge }: PushEvent): Pushed {
  return data ? (data.json() as Pushed) : { notification, app_badge: appBadge };
}

// TypeScript's types lack these properties, which only WebKit has:
// https://webkit.org/blog/16535/meet-declarative-web-push/
declare global {
  interface PushEvent {
    readonly notification?: Notification & Required<Pushed>['notification'];
    readonly appBadge?: number | null;
  }
}
