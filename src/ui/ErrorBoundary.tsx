import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown in place of the content after an error. */
  readonly otherwise: ReactNode;
  readonly children: ReactNode;
}

/** Shows other content if an error occurs in its children. The other parts of the page stay visible. */
export class ErrorBoundary extends Component<Props, { readonly failed: boolean }> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.otherwise : this.props.children;
  }
}
