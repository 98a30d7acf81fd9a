import { Component, type ReactNode } from 'react';

interface Props {
  /** Content that replaces the part after an error. */
  readonly otherwise: ReactNode;
  readonly children: ReactNode;
}

/** Error boundary for one of several parts: the others stay visible. */
export class ErrorBoundary extends Component<Props, { readonly failed: boolean }> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.otherwise : this.props.children;
  }
}
