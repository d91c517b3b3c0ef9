import { Component, type ReactNode } from 'react';
import { FaultPage } from './not-found-page.tsx';

/** Shows 'Something went wrong' instead of an empty page. Give it another `key` to clear the fault: the address, for instance. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <FaultPage
        onRetry={() => {
          location.reload();
        }}
      />
    );
  }
}
