import type { ProgramEntry } from "../program.ts";

const SSH_FILES = "-i:read -F:read";

/** Programs that send files elsewhere, or encrypt and sign them. */
export const SENDERS: Readonly<Record<string, ProgramEntry>> = {
  ssh: {
    flags: "46AaCfGgKkMNnqsTtVvXxYy",
    valued: "BbcDeJLlmOpQRWw",
    paths: `${SSH_FILES} -E:write -S:write -I:read`,
    shapes: "-o:ssh",
    operands: "text",
    flagsFirst: true,
  },
  scp: {
    flags: "346ABCOpqRrsTv",
    valued: "cDJlPX",
    paths: SSH_FILES,
    shapes: "-o:ssh",
    runs: "-S+",
    operands: "read",
    last: "write",
    recursive: "-r",
    remote: "host",
  },
  "at batch": { flags: "bdlmMrvV", valued: "cqt", paths: "-f:read", operands: "text" },
  sftp: {
    flags: "46AaCfNpqrv",
    valued: "BcDJlPRsX",
    paths: `${SSH_FILES} -b:read`,
    shapes: "-o:ssh",
    runs: "-S+",
    operands: "text",
    last: "write",
    remote: "host",
  },
  "ssh-copy-id": { flags: "fnsx", valued: "p", paths: SSH_FILES, shapes: "-o:ssh", operands: "text" },
  "ssh-add": {
    flags: "cDdKkLlqvXxA",
    valued: "EHhS",
    paths: "-t:list -T:read -s:read -e:read",
    operands: "read",
  },
  "ssh-keygen": {
    flags: "ABceHhiLlpqQuvXyk",
    valued: "abCEFIMmNnOPrRstVWYZz",
    paths: "-f:write -D:read -T:write -s:read -w:read",
    operands: "read",
  },
  rsync: {
    flags: "vqcarRubdlLkKHpEAXogtDUNOJSnWxyzhFPsi08146m",
    valued: "BMf",
    long: "verbose quiet checksum archive recursive relative update links copy-links hard-links perms executability acls xattrs owner group times delete delete-after delete-before delete-during delete-excluded dry-run whole-file existing ignore-existing partial progress compress human-readable itemize-changes stats inplace append numeric-ids prune-empty-dirs safe-links force size-only remove-source-files remove-sent-files ignore-times one-file-system mkpath",
    longValued:
      "exclude include filter chmod chown bwlimit port timeout max-size min-size info debug out-format suffix block-size modify-window compress-level rsync-path",
    paths:
      "--files-from:read --exclude-from:read --include-from:read --password-file:read --early-input:read --config:read --backup-dir:write --log-file:write --partial-dir:write --temp-dir:write -T:write --compare-dest:list --copy-dest:walk --link-dest:walk --write-batch:write --only-write-batch:write --read-batch:read",
    runs: "-e+ --rsh+",
    operands: "read",
    last: "write",
    removesWith: "--remove-source-files --remove-sent-files",
    recursive: "*",
    links: "anywhere",
    remote: "host",
  },
  "nc ncat netcat": {
    flags: "46bCdDhklnNrStUuvz",
    valued: "IiMmOPpqsTVwXxgG",
    longValued: "source-port source wait idle-timeout proxy proxy-type proxy-auth max-conns allow deny",
    long: "listen udp sctp ssl keep-open verbose",
    paths:
      "-o:write --output:write --hex-dump:write --append-output:write --ssl-cert:read --ssl-key:read --ssl-trustfile:read --allowfile:read --denyfile:read --lua-exec:read",
    runs: "-e -c --exec --sh-exec",
    operands: "text",
  },
  openssl: {
    dash: "single",
    flags: "dea",
    long: "noout text modulus pubkey pubin pubout nodes noenc new x509 verify sign encrypt decrypt base64 salt nosalt pbkdf2 batch hex binary nocerts nokeys clcerts cacerts check fingerprint subject issuer dates enddate startdate serial hash",
    longValued:
      "inform outform keyform subj days newkey pkeyopt connect servername name md iter K iv S cipher curve",
    paths:
      "-in:read -out:write -key:read -inkey:read -keyout:write -cert:read -certfile:read -CA:read -CAkey:read -CAfile:read -CApath:list -CAserial:write -config:read -extfile:read -rand:read -writerand:write -sigfile:read -signature:read -kfile:read -signkey:read -recip:read -content:read -chain:read -peerkey:read -engine:read -provider:read -provider-path:list -sess_out:write -sess_in:read -keylogfile:write -msgfile:write -crl:read -revoke:read -spkac:read -infiles:read -data:read -queryfile:read -signer:read",
    shapes: "-passin:pass -passout:pass -pass:pass -k:pass",
    operands: "read",
    first: "text",
  },
  "gpg gpg2 gpgv": {
    flags: "abcdeskvqntz",
    valued: "urNRT",
    long: "armor detach-sign clear-sign clearsign sign encrypt decrypt symmetric verify import batch yes no-tty list-keys list-secret-keys export export-secret-keys dearmor quiet verbose",
    longValued:
      "recipient local-user default-key cipher-algo digest-algo passphrase passphrase-fd status-fd pinentry-mode trust-model",
    paths:
      "-o:write --output:write --homedir:write --passphrase-file:read --keyring:read --secret-keyring:read --options:read --status-file:write --logger-file:write --attribute-file:write -f:read --recipient-file:read -F:read --hidden-recipient-file:read --load-extension:read",
    runs: "--photo-viewer+",
    operands: "read",
  },
  age: {
    flags: "edpa",
    valued: "rj",
    long: "encrypt decrypt passphrase armor",
    longValued: "recipient",
    paths: "-o:write --output:write -i:read --identity:read -R:read --recipients-file:read",
    operands: "read",
  },
  "age-keygen": { flags: "y", paths: "-o:write --output:write", operands: "read" },
  "signify minisign": {
    flags: "CGSVqe",
    paths: "-m:read -p:read -s:read -x:write",
    valued: "tcW",
    operands: "read",
  },
};
