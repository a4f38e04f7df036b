import { Component, type ReactNode } from 'react';

/** Hands a drawing error on instead of printing its stack into the terminal (D40). */
export class Guard extends Component<{ failed: (error: unknown) => void; children: ReactNode }> {
  override state: { broken: boolean } = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.failed(error);
  }

  override render(): ReactNode {
    return this.state.broken ? null : this.props.children;
  }
}
