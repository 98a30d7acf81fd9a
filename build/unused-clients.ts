// Stubs for clients and names that supabase-js needs and the desk never uses. They keep the desk small, because its
// bytes are limited.

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
