/** What `--help` prints. */
export const HELP = `Runs the conformance suite on a filesystem backend.

  fs-conformance ./my-backend.js    default export: a harness, or (context) => backend
  fs-conformance init [FILE]        writes a harness to begin with (conformance.mjs), and a workflow
  fs-conformance matrix REPORTS…    makes a table of reports (or folders of them)

What is run
  --tier quick|full|soak   how much (quick)
  --only ID  --skip ID     cases, with * for anything: 'edit/*'; may be repeated; earns no level
  --seed N                 of every random choice (by the clock; it is in the report)
  --replay PLACE           begins the model where a failure said; needs its --seed
  --strict                 a capability that works without being claimed fails
  --bail                   begins no further case once one has failed
  --watch                  runs again when a file of the harness's folder changes; Ctrl+C ends it
  --concurrency N          cases under way at once (as the harness says, else 4)
  --stall SECONDS          ends a backend that blocks its process for so long (30)
  --level LEVEL            core, safe, durable or exec decides the exit code (all that are claimed)

What is written
  --json FILE  --junit FILE  --md FILE

What is there to know
  --list                   the cases of a tier, with --only and --skip
  --explain ID|RULE        a case or a rule
  --help  --version

matrix: -o, --out FILE     the table (standard output)
        --details FILE     groups and reasons, apart from the levels
init:   --force            overwrites

Exit codes
  0  the requested level is earned
  1  a case failed, timed out, or passed against its expected failure; a claim was not kept
  2  the harness, the suite or the command line is at fault
  3  nothing failed, but the level is not earned: filtered, probed, inconclusive, or expected to fail
`;
