export declare const DIST: string;
export declare const SOURCES: readonly string[];
export declare function digestOfSources(): string;
/** Whether the built documentation fits its sources. */
export declare function isBuilt(): boolean;
/** Puts a folder that was built from sources of this digest in the place of DIST. */
export declare function replaceSite(fresh: string, digest: string): void;
/** Resolves when it is up to date, or when it could not be built and this was said. Never rejects. */
export declare function ensureSite(): Promise<void>;
