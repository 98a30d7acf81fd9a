import { designer } from '../content/designer.ts';
import { openInternalPage } from '../ui/internal-page.tsx';
import { IconDesigner } from './IconDesigner.tsx';

export const open = () => openInternalPage(designer.title, IconDesigner);
