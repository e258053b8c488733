// The root of the image gcr.io/distroless/cc-debian12, laid out from the packages of this machine, if that is a Debian 12. A package
// that is not installed here is left out: a program that starts without it starts with it, too.
// The lists: https://github.com/GoogleContainerTools/distroless, the files config.bzl of static, base and cc, and common/BUILD.bazel.
import { spawnSync } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** In the Containerfile, without its digest. */
export const BASE_IMAGE = "gcr.io/distroless/cc-debian12:nonroot";
/** Its user. */
export const NONROOT = 65532;
/** Without it no program starts. */
const C_LIBRARY = "libc6";
const PACKAGES = [
  "base-files",
  "netbase",
  "tzdata",
  "media-types",
  C_LIBRARY,
  "libssl3",
  "libgomp1",
  "libstdc++6",
  "libgcc-s1",
  "gcc-12-base",
];
/** The libraries that these packages hold, but for those that the C library loads by itself. */
export const BASE_LIBRARIES: ReadonlySet<string> = new Set([
  "libc.so.6",
  "libm.so.6",
  "libdl.so.2",
  "libpthread.so.0",
  "librt.so.1",
  "libresolv.so.2",
  "libutil.so.1",
  "ld-linux-x86-64.so.2",
  "ld-linux-aarch64.so.1",
  "libssl.so.3",
  "libcrypto.so.3",
  "libgomp.so.1",
  "libstdc++.so.6",
  "libgcc_s.so.1",
]);
export const BASE_ENV = { PATH: "/usr/local/bin:/usr/bin:/bin", SSL_CERT_FILE: "/etc/ssl/certs/ca-certificates.crt" };

const TEXTS = {
  "etc/passwd": `root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:${NONROOT}:${NONROOT}:nonroot:/home/nonroot:/sbin/nologin\n`,
  "etc/group": `root:x:0:\nnonroot:x:${NONROOT}:\n`,
  "etc/nsswitch.conf":
    "passwd: compat\ngroup: compat\nhosts: files dns\nnetworks: files\nprotocols: db files\nservices: db files\n",
};

/** Whether this machine has the packages of the base image: the same release of Debian. */
export function hasBasePackages(): boolean {
  if (!existsSync("/etc/os-release") || !readFileSync("/etc/os-release", "utf8").includes("VERSION_CODENAME=bookworm"))
    return false;
  return spawnSync("dpkg", ["--status", C_LIBRARY], { stdio: "ignore" }).status === 0;
}

export function layOutBaseImage(root: string): void {
  for (const name of PACKAGES) {
    const { status, stdout } = spawnSync("dpkg", ["--listfiles", name], { encoding: "utf8" });
    if (status === 0) for (const path of stdout.split("\n")) copyFile(path, root);
  }
  for (const [path, text] of Object.entries(TEXTS)) writeFileSync(join(root, path), text);
  const authorities = "/usr/share/ca-certificates/mozilla";
  const bundle = existsSync(authorities)
    ? readdirSync(authorities).map((name) => readFileSync(join(authorities, name), "utf8"))
    : [];
  mkdirSync(join(root, "etc/ssl/certs"), { recursive: true });
  writeFileSync(join(root, BASE_ENV.SSL_CERT_FILE), bundle.join(""));
  mkdirSync(join(root, "home/nonroot"), { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) chownSync(join(root, "home/nonroot"), NONROOT, NONROOT);
  // What an engine mounts.
  for (const folder of ["proc", "sys", "dev", "tmp"]) mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["hosts", "resolv.conf"]) writeFileSync(join(root, "etc", file), "");
}

function copyFile(path: string, root: string): void {
  // A folder has its files listed, also one behind a link such as /lib. Some machines leave out documentation.
  if (!existsSync(path) || statSync(path).isDirectory()) return;
  mkdirSync(join(root, dirname(path)), { recursive: true });
  cpSync(path, join(root, path), { verbatimSymlinks: true });
}
