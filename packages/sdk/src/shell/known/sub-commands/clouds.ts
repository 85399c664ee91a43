import type { SubCommandEntry } from "./entry.ts";

/** Which files programs for services on the network touch. */
export const CLOUDS: Readonly<Record<string, SubCommandEntry>> = {
  aws: {
    paths: "--ca-bundle:read",
    rows: {
      "s3 cp|s3 sync": {
        long: "recursive dryrun quiet only-show-errors delete follow-symlinks no-progress",
        longValued:
          "exclude include acl storage-class sse sse-kms-key-id content-type cache-control metadata source-region",
        paths: "--sse-c-key:read",
        operands: "read",
        last: "write",
        recursive: "*",
        remote: "s3",
        links: "anywhere",
      },
      "s3 mv": {
        long: "recursive dryrun quiet only-show-errors follow-symlinks no-progress",
        longValued: "exclude include acl storage-class sse content-type cache-control metadata",
        operands: "remove",
        last: "write",
        recursive: "*",
        remote: "s3",
      },
      "s3api get-object|s3api select-object-content|lambda invoke|glacier get-job-output": {
        longValued:
          "bucket key range version-id function-name payload invocation-type log-type qualifier expression",
        operands: "write",
      },
      // How to sign in is among it: a program may be named there.
      "configure set|configure import|configure": {
        shapes: "--csv:url",
        operands: "text",
        writes: "~/.aws/config",
      },
      "configure list|configure get|configure list-profiles": { operands: "text" },
    },
    other: {
      paths:
        "--template-file:read --output-template-file:write --outfile:write --body:read --zip-file:read --source:read",
      operands: "text",
    },
  },
  "gh glab": {
    rows: {
      api: {
        flags: "i",
        valued: "XfHqtp",
        long: "include paginate slurp silent verbose",
        longValued: "method raw-field header jq template cache preview hostname",
        shapes: "-F:at --field:at",
        paths: "--input:read",
        operands: "text",
      },
      "release create": {
        flags: "dp",
        valued: "tnR",
        long: "draft prerelease generate-notes latest verify-tag",
        longValued: "title notes target discussion-category notes-start-tag repo",
        paths: "-F:read --notes-file:read",
        operands: "read",
        first: "text",
      },
      "release upload": { long: "clobber", valued: "R", longValued: "repo", operands: "read", first: "text" },
      "release download": {
        valued: "pAR",
        long: "clobber skip-existing",
        longValued: "pattern archive repo",
        paths: "-D:write --dir:write -O:write --output:write",
        operands: "text",
        writes: ".",
      },
      "run download": {
        valued: "npR",
        longValued: "name pattern repo",
        paths: "-D:write --dir:write",
        operands: "text",
        writes: ".",
      },
      "gist create": {
        flags: "psw",
        valued: "df",
        long: "public secret web",
        longValued: "desc filename",
        operands: "read",
      },
      "gist edit": {
        valued: "d",
        longValued: "desc",
        paths: "-a:read --add:read",
        operands: "read",
        first: "text",
      },
      "secret set|variable set": {
        valued: "aberov",
        longValued: "app body env org repos visibility repo",
        paths: "-f:read --env-file:read",
        operands: "text",
      },
      "repo clone": { flags: "", valued: "u", operands: "write", first: "text" },
      "repo create": {
        longValued: "description homepage team template remote gitignore license",
        paths: "-s:read --source:read",
        operands: "text",
      },
      "ssh-key add|gpg-key add": { valued: "t", longValued: "title type", operands: "read" },
      "codespace cp|cs cp": {
        flags: "er",
        valued: "c",
        operands: "read",
        last: "write",
        recursive: "*",
        remote: "host",
      },
      "workflow run": {
        flags: "",
        valued: "rf",
        longValued: "ref raw-field",
        shapes: "-F:at --field:at",
        operands: "text",
      },
      "alias import|extension install|attestation verify": { operands: "read" },
    },
    other: {
      paths:
        "-F:read --body-file:read --notes-file:read --recover:read --template:read --input:read --env-file:read",
      operands: "text",
    },
  },
};
