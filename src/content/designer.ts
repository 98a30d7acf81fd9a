export const designer = {
  title: 'App Icon Designer',
} as const;
