declare module 'virtual:call-button' {
  /** Made by build/prerender.ts. */
  const html: string;
  export default html;
}
