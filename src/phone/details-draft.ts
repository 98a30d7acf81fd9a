import { isRecord, type Loose } from '../lead/shape.ts';
import { tryStorage } from './storage-access.ts';

// sessionStorage: it outlives a reload, and a tab that was put aside, as what stands in the fields of a page does.
const DETAILS = 'aeropuente.details';

/** Details of a shipment that are being written. */
interface DetailsDraft {
  /** Of the quote. */
  readonly id: string;
  readonly written: Loose;
}

export function readDetailsDraft(id: string): Loose | undefined {
  const kept = tryStorage(() => JSON.parse(sessionStorage.getItem(DETAILS) ?? 'null') as unknown);
  return isRecord(kept) && kept['id'] === id && isRecord(kept['written']) ? kept['written'] : undefined;
}

export function saveDetailsDraft(draft: DetailsDraft): void {
  tryStorage(() => sessionStorage.setItem(DETAILS, JSON.stringify(draft)));
}

export function endDetailsDraft(): void {
  tryStorage(() => sessionStorage.removeItem(DETAILS));
}
