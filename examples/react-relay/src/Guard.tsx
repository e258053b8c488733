import { Component, Suspense, type ReactNode } from "react";
import { Errors } from "../../shared/Errors.tsx";
import { errorsOf } from "./errors.ts";

interface State {
  error?: unknown;
}

/** Shows what the query in it waits for, and why it failed. React has error boundaries as classes alone. */
export class Guard extends Component<{ children: ReactNode }, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render() {
    if ("error" in this.state) return <Errors errors={errorsOf(this.state.error)} />;
    return <Suspense fallback={<p>Loading …</p>}>{this.props.children}</Suspense>;
  }
}
