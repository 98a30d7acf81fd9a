// Stubs for clients that supabase-js constructs and the desk never uses, and for names that supabase-js exports. They
// keep the desk small, because its bytes are limited.

export function StorageClient() {}
export function FunctionsClient() {}
export class RealtimeClient {
  setAuth(): void {}
}
export class StorageApiError extends Error {}
export class FunctionsError extends Error {}
export {
  FunctionsError as FunctionsFetchError,
  FunctionsError as FunctionsHttpError,
  FunctionsError as FunctionsRelayError,
};
export const FunctionRegion = {};
