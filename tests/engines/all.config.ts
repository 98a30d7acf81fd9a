import own, { project } from './playwright.config.ts';

/** `npm run engines`: Chromium too, which `npm test` proves the same of in tests/e2e. */
export default { ...own, projects: [project('chromium', 'Chromium', 'chromium'), ...own.projects!] };
