import { createElement } from 'react';

/** In place of src/island.tsx: a part of the page like any other. */
export const Island = ({ of }) => createElement(of);
