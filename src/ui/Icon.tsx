export const HANDSET = 'M6 3h3l2 5-2.5 1.5a11 11 0 006 6L16 13l5 2v3a3 3 0 01-3 3A15 15 0 013 6a3 3 0 013-3z';

const drawings = {
  home: 'M4 11l8-7 8 7M6 10v10h12V10M10 20v-6h4v6',
  services: 'M3 8l9-4 9 4v8l-9 4-9-4zM3 8l9 4 9-4M12 12v8',
  process: 'M5 19a2 2 0 100-4 2 2 0 000 4zM19 9a2 2 0 100-4 2 2 0 000 4zM7 17h6a3 3 0 000-6h-2a3 3 0 010-4h6',
  network:
    'M12 14a2 2 0 100-4 2 2 0 000 4zM5 7a2 2 0 100-4 2 2 0 000 4zM19 7a2 2 0 100-4 2 2 0 000 4zM12 22a2 2 0 100-4 2 2 0 000 4zM6.5 6.5l4 4M17.5 6.5l-4 4M12 14v4',
  quotes: 'M4 5h16v11h-9l-5 4v-4H4zM8 9h8M8 12h5',
  check: 'M4 13l5 5L20 6',
  clock: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l3 3',
  tag: 'M3 12V4h8l10 10-8 8zM7.5 8.5h.01',
  phone: HANDSET,
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 016 0v3',
} as const;

export type IconName = keyof typeof drawings;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  );
}
