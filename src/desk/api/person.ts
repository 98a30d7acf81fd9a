/** Signed-in colleague. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly isSupervisor: boolean;
}
