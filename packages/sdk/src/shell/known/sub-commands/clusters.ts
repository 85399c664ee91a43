import type { SubCommandEntry } from "./entry.ts";

const KUBE_PATHS =
  "-f:read --filename:read -k:walk --kustomize:walk --patch-file:read --from-env-file:read --cert:read --key:read --template-file:read --output-directory:write --env-file:read --custom:read";
const HELM_PATHS =
  "-f:read --values:read --cert-file:read --key-file:read --ca-file:read --keyring:read -d:write --destination:write --untardir:write --output-dir:write --passphrase-file:read";

/** Which files programs for clusters and machines touch. */
export const CLUSTERS: Readonly<Record<string, SubCommandEntry>> = {
  "kubectl oc": {
    paths:
      "--kubeconfig:read --kuberc:read --certificate-authority:read --client-certificate:read --client-key:read --cache-dir:write --log-file:write --log-dir:write --profile-output:write",
    rows: {
      cp: {
        valued: "c",
        longValued: "container retries",
        long: "no-preserve",
        operands: "read",
        last: "write",
        recursive: "*",
        remote: "pod",
        links: "anywhere",
      },
      logs: {
        flags: "fp",
        valued: "cl",
        long: "follow previous all-containers timestamps prefix",
        longValued: "container selector since since-time tail max-log-requests limit-bytes",
        operands: "text",
      },
      "exec|attach|run|debug": {
        flags: "itq",
        valued: "cle",
        long: "stdin tty quiet rm attach",
        longValued: "container image env labels overrides restart",
        paths: "-f:read --filename:read",
        operands: "text",
        flagsFirst: true,
      },
      version: {
        long: "client short",
        longValued: "output",
        valued: "o",
        operands: "none",
        readOnly: true,
        requires: "--client",
      },
      "config current-context": { operands: "none", readOnly: true },
      // How to sign in is among it: a program may be named there.
      "config set|config unset|config set-context|config set-cluster|config set-credentials|config use-context|config use|config rename-context|config delete-context|config delete-cluster|config delete-user":
        {
          paths: "--certificate-authority:read --client-certificate:read --client-key:read",
          operands: "text",
          writes: "~/.kube/config",
        },
    },
    other: { paths: KUBE_PATHS, shapes: "--from-file:assigned", operands: "text", runs: "--editor+" },
  },
  kustomize: {
    rows: { build: { paths: "-o:write --output:write", operands: "walk", recursive: "*", implicit: "walk" } },
  },
  helm: {
    paths:
      "--kubeconfig:read --registry-config:read --repository-config:read --repository-cache:write --kube-ca-file:read",
    rows: {
      version: { long: "short client", operands: "none", readOnly: true },
      "install|upgrade|template|lint|package|dependency build|dependency update|dep up|dep build|dependency list|show all|show chart|show values|show readme|show crds|inspect":
        {
          valued: "ngal",
          longValued:
            "namespace name-template version repo set set-string set-json set-literal timeout description labels username password api-versions kube-version show-only app-version sign key",
          long: "wait create-namespace dry-run debug generate-name atomic devel dependency-update force install reset-values reuse-values no-hooks skip-crds validate include-crds strict verify",
          paths: HELM_PATHS,
          shapes: "--set-file:assigned",
          runs: "--post-renderer",
          operands: "walk",
          recursive: "*",
        },
      create: { valued: "p", longValued: "starter", operands: "write" },
      push: { paths: HELM_PATHS, operands: "text", first: "read" },
      "plugin install": { longValued: "version", operands: "read" },
    },
    other: { paths: HELM_PATHS, shapes: "--set-file:assigned", operands: "text" },
  },
  "terraform tofu": {
    moves: "-chdir",
    dash: "single",
    rows: {
      fmt: {
        long: "check diff list recursive no-color write",
        operands: "write",
        implicit: "write",
        recursive: "*",
      },
      apply: {
        long: "auto-approve destroy refresh-only no-color json compact-warnings input lock refresh",
        longValued: "target var parallelism replace lock-timeout",
        paths: "-var-file:read -state:write -state-out:write -backup:write",
        operands: "read",
      },
      "show|graph": {
        long: "json no-color draw-cycles",
        longValued: "type",
        paths: "-plan:read",
        operands: "read",
      },
      "workspace new": { paths: "-state:read", operands: "text" },
      "providers mirror": { longValued: "platform", operands: "write", recursive: "*" },
      "state push": { long: "force", operands: "read" },
    },
    other: {
      longValued: "target var parallelism replace lock-timeout",
      paths:
        "-var-file:read -out:write -state:write -state-out:write -backup:write -plugin-dir:read -from-module:read -generate-config-out:write -config:read",
      shapes: "-backend-config:assigned",
      operands: "text",
    },
  },
  systemctl: {
    paths: "--root:list --image:read",
    rows: {
      "is-active|is-enabled|is-failed|list-units|list-unit-files|list-timers|list-sockets|get-default": {
        flags: "alq",
        valued: "t",
        long: "all full no-pager no-legend plain quiet user system reverse failed",
        longValued: "type state",
        operands: "text",
        readOnly: true,
      },
      "link|enable|reenable|preset": { long: "now force runtime user system", operands: "read" },
    },
  },
};
