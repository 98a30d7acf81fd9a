interface Pushed {
  readonly notification?: Pick<Notification, 'title' | 'body' | 'lang' | 'tag'> & {
    readonly navigate: string;
    readonly data: { readonly message: string };
  };
  readonly app_badge?: number | null;
}

/** Content of a push: JSON, or on iPhones, which show such messages themselves, the notification alone. */
export function pushedIn({ data, notification, appBadge }: PushEvent): Pushed {
  return data ? (data.json() as Pushed) : { notification, app_badge: appBadge };
}

// TypeScript's lib lacks these, because only WebKit has them: https://webkit.org/blog/16535/meet-declarative-web-push/
declare global {
  interface PushEvent {
    readonly notification?: Notification & Required<Pushed>['notification'];
    readonly appBadge?: number | null;
  }
}
