// The exit codes of every command. Scripts and service managers rely on them.
export const exitCodes = {
  success: 0,
  failure: 1,
  /** A mistake in the command line (EX_USAGE of sysexits.h). */
  usage: 64,
  /** An unusable configuration (EX_CONFIG). A service manager should not start the gateway again. */
  configuration: 78,
} as const;
