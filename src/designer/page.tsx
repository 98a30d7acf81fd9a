import { openInternalPage } from '../internal-page.tsx';

export const open = () => openInternalPage('App Icon Designer', IconDesigner);

function IconDesigner() {
  return (
    <main>
      <h1>App Icon Designer</h1>
    </main>
  );
}
