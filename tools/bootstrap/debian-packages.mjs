// Servers, sandbox programs and a browser for the integration tests, from Debian's or Ubuntu's packages.
// Run as a program, or call installMissingDebianPackages(). It never fails: a suite that misses its
// server says so itself, with the package to install.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const programs = [
  { package: "postgresql", isPresent: hasPostgres, instead: "FS_TEST_POSTGRES_URL" },
  {
    package: "redis-server",
    isPresent: () => onPath("redis-server"),
    instead: "FS_TEST_REDIS_URL",
  },
  { package: "radosgw", isPresent: () => onPath("radosgw"), instead: "FS_TEST_S3_ENDPOINT" },
  { package: "ceph-mon", isPresent: () => onPath("ceph-mon"), instead: "FS_TEST_S3_ENDPOINT" },
  { package: "ceph-osd", isPresent: () => onPath("ceph-osd"), instead: "FS_TEST_S3_ENDPOINT" },
  { package: "bubblewrap", isPresent: () => onPath("bwrap") },
  { package: "busybox", isPresent: () => onPath("busybox") },
  {
    package: "chromium",
    isPresent: () => ["chromium", "chromium-browser", "google-chrome"].some(onPath),
  },
];

/** Installs what is missing, as root on a Debian-like system; elsewhere, or with FS_TEST_NO_INSTALL set, does nothing. */
export function installMissingDebianPackages() {
  const missing = programs
    .filter(({ isPresent, instead }) => !isPresent() && !(instead && process.env[instead]))
    .map((program) => program.package);
  if (missing.length === 0 || process.env["FS_TEST_NO_INSTALL"]) return;
  if (process.getuid?.() !== 0 || !isDebianLike() || !onPath("apt-get")) return;
  console.error(
    `Installing ${missing.join(", ")} for the tests (FS_TEST_NO_INSTALL=1 prevents it) ...`,
  );
  aptGet("update");
  if (install(missing)) return;
  // One package that cannot be had must not keep the others away.
  for (const name of missing) install([name]);
}

function install(names) {
  return aptGet("install", "-y", "--no-install-recommends", ...names);
}

function aptGet(...args) {
  const { status, error, stderr } = spawnSync(
    "apt-get",
    ["-qq", "-o", "DPkg::Lock::Timeout=300", ...args],
    {
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 15 * 60_000,
      // The tests start private servers; RUNLEVEL keeps the packages' own from being started.
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    },
  );
  if (status === 0) return true;
  const reason = error?.message ?? stderr.trim().split("\n").slice(-3).join("\n");
  console.error(`apt-get ${args.join(" ")} failed: ${reason}`);
  return false;
}

function isDebianLike() {
  if (!existsSync("/etc/os-release")) return false;
  const ids = /^ID(?:_LIKE)?=.*$/gm;
  return (readFileSync("/etc/os-release", "utf8").match(ids) ?? []).some((line) =>
    /\b(?:debian|ubuntu)\b/.test(line),
  );
}

function hasPostgres() {
  const folder = "/usr/lib/postgresql";
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  return (
    versions.some((version) => existsSync(`${folder}/${version}/bin/initdb`)) || onPath("initdb")
  );
}

function onPath(name) {
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/bin", "/usr/sbin"];
  return folders.some((folder) => folder !== "" && existsSync(`${folder}/${name}`));
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  installMissingDebianPackages();
