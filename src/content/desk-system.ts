import type { Bilingual } from './bilingual.ts';

/** Result of one check of the server, as `aeropuente doctor` and the desk show it. */
export interface CheckResult {
  /** `unknown`: the check does not apply to this installation, or it failed to run. */
  readonly kind: 'well' | 'fault' | 'unknown';
  readonly says: Bilingual;
  readonly cure?: Bilingual;
}

/** Texts of the system status, which only supervisors see. */
export const deskSystem = {
  open: { es: 'Estado del sistema', en: 'System status' },
  webhooks: { es: 'Webhooks', en: 'Messages to other programs' },
  kinds: {
    well: { es: 'Bien', en: 'OK' },
    unknown: { es: 'Atención', en: 'Attention' },
    fault: { es: 'Falla', en: 'Fault' },
  },
  asking: { es: 'Revisando…', en: 'Checking…' },
  faults: (count: number): Bilingual =>
    count === 0
      ? { es: 'Sin fallas.', en: 'No faults.' }
      : count === 1
        ? { es: '1 falla. Avise a su administrador.', en: '1 fault. Tell your administrator.' }
        : { es: `${count} fallas. Avise a su administrador.`, en: `${count} faults. Tell your administrator.` },
} as const;
