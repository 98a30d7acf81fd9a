import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown in its place where it cannot be shown. */
  readonly otherwise: ReactNode;
  readonly children: ReactNode;
}

/** One of several: where it cannot be shown, the others still are. */
export class Apart extends Component<Props, { readonly failed: boolean }> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.otherwise : this.props.children;
  }
}
