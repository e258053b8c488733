/** The access token of the service, which may change while the gateway runs. */
export interface ServiceToken {
  current(): string;
  /** Reads the token's file again, if it has one. `current` is up to date when it resolves. Never rejects. */
  reread(): Promise<void>;
}

export const fixedToken = (token: string): ServiceToken => ({ current: () => token, reread: () => Promise.resolve() });
