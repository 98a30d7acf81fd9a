type Stored = Record<string, string>;
/** Storage whose own properties are the stored keys, as in a browser. */
export class OwnStorage {
  getItem(this: Stored, key: string) {
    return this[key] ?? null;
  }
  setItem(this: Stored, key: string, value: string) {
    this[key] = value;
  }
  removeItem(this: Stored, key: string) {
    delete this[key];
  }
}
