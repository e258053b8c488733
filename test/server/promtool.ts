// The checker of Prometheus (Debian: apt-get install --no-install-recommends prometheus). Tests that need it are skipped without it.
import { spawnSync } from "node:child_process";

export const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
