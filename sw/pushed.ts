interface Pushed {
  readonly notification?: Pick<Notification, 'title' | 'body' | 'lang' | 'tag'> & {
    readonly navigate: string;
    readonly data: { readonly message: string };
  };
  /** Number for the icon. */
  readonly app_badge?: number | null;
}

/** Content of a push: JSON, or on an iPhone, which shows such messages by itself, the notification without any data. */
export function pushedIn({ data, notification, appBadge }: PushEvent): Pushed {
  return data ? (data.json() as Pushed) : { notification, app_badge: appBadge };
}

// TypeScript's lib lacks these fields, which WebKit alone has. https://webkit.org/blog/16535/meet-declarative-web-push/
declare global {
  interface PushEvent {
    readonly notification?: Notification & Required<Pushed>['notification'];
    readonly appBadge?: number | null;
  }
}
