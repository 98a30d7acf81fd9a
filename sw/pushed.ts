interface Pushed {
  readonly notification?: Pick<Notification, 'title' | 'body' | 'lang' | 'tag'> & {
    readonly navigate: string;
    readonly data: { readonly message: string };
  };
  readonly app_badge?: number | null;
}

/** Content of a push message: JSON, or the notification alone on iPhones, which show such messages by themselves. */
export function pushedIn({ data, notification, appBadge }: PushEvent): Pushed {
  return data ? (data.json() as Pushed) : { notification, app_badge: appBadge };
}

// Declared here, because only WebKit has them and TypeScript's lib does not:
// https://webkit.org/blog/16535/meet-declarative-web-push/
declare global {
  interface PushEvent {
    readonly notification?: Notification & Required<Pushed>['notification'];
    readonly appBadge?: number | null;
  }
}
