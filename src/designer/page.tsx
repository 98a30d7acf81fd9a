import { designer } from '../content/designer.ts';
import { openInternalPage } from '../internal-page.tsx';

export const open = () => openInternalPage(designer.title, IconDesigner);

function IconDesigner() {
  return (
    <main>
      <h1>{designer.title}</h1>
    </main>
  );
}
