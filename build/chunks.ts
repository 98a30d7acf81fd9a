/**
 * Each chunk by the modules that lead into it: what they import comes with them, unless a chunk above has it. Every
 * other part is a chunk of its own, where it is imported.
 */
export const leadingInto: Readonly<Record<string, readonly string[]>> = {
  // The loader, which imports nothing from the others, and the little that all of them need.
  index: [
    'index.html',
    'src/content/bilingual.ts',
    'src/phone/keep.ts',
    'src/phone/call-back.ts',
    'src/ui/split-whole.ts',
    'src/ui/ButtonWords.module.css',
  ],
  // What works without React, wherever it is needed: toasts, facts of the company, sentences of form and call.
  basis: [
    'src/notices/toaster.ts',
    'src/phone/busy.ts',
    'src/config.ts',
    'src/content/claims.ts',
    'src/content/failures.ts',
    'src/content/sentences.ts',
  ],
  // The form with all that its press needs.
  form: ['src/landing/quote-form.ts'],
  // What sends a quote.
  sending: ['src/form/sending.ts'],
  // And what says where it stands.
  follow: ['src/receipts/follow.ts', 'src/content/quote-form.ts'],
  // And what is needed wherever React is.
  react: ['src/ui/wake.tsx', 'src/ui/internal-page.tsx'],
  common: [
    'src/ui/Inline.tsx',
    'src/ui/Bilingual.tsx',
    'src/ui/ButtonWords.tsx',
    'src/ui/Translation.tsx',
    'src/ui/later.tsx',
    'src/ui/store.ts',
    'src/ui/use-online.ts',
    'src/ui/focus.ts',
    'src/ui/create-store.ts',
  ],
  line: ['src/phone/connection.ts', 'src/phone/data-saver.ts', 'src/phone/installed.ts', 'src/phone/end-tab-drafts.ts'],
  phone: ['src/phone/PhoneSettings.tsx', 'src/phone/InstallOffer.tsx', 'src/phone/StorageLine.tsx'],
  // There before the widget is.
  'voice-button': ['src/voice/VoiceIcon.module.css', 'src/voice/VoiceMark.module.css', 'src/voice/Bubbles.module.css'],
  land: ['src/network/land.ts'],
  // One file compresses better than five, and is there or not there as a whole.
  quote: ['src/landing/Quote.tsx'],
  // The receipt of a quote that was sent.
  receipt: ['src/receipts/Receipt.tsx', 'src/receipts/Another.tsx', 'src/receipts/HandOff.tsx'],
  // It comes with the first island.
  others: ['src/receipts/Tray.tsx'],
};

export const chunks = Object.entries(leadingInto).map(([name, files]) => ({
  name,
  // Of a sheet that the document carries, the names alone are a module (build/prerender.ts).
  test: (id: string) => files.some((file) => id.endsWith(`/${file}`) || id.endsWith(`/${file}.js`)),
}));
