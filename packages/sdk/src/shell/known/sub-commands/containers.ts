import type { SubCommandEntry } from "./entry.ts";

const RUN_FLAGS = "ditPq";
const RUN_VALUED = "acehlmpuvw";
const RUN_LONG =
  "detach init interactive no-healthcheck oom-kill-disable privileged publish-all quiet read-only rm sig-proxy tty disable-content-trust";
const RUN_LONG_VALUED =
  "add-host annotation attach blkio-weight blkio-weight-device cap-add cap-drop cgroup-parent cgroupns cpu-count cpu-percent cpu-period cpu-quota cpu-rt-period cpu-rt-runtime cpu-shares cpus cpuset-cpus cpuset-mems detach-keys device-cgroup-rule device-read-bps device-read-iops device-write-bps device-write-iops dns dns-option dns-search domainname entrypoint env expose gpus group-add health-cmd health-interval health-retries health-start-interval health-start-period health-timeout hostname io-maxbandwidth io-maxiops ip ip6 ipc isolation kernel-memory label link link-local-ip log-driver log-opt mac-address memory memory-reservation memory-swap memory-swappiness name net net-alias network network-alias oom-score-adj pid pids-limit platform publish pull restart runtime security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit use-api-socket user userns uts volume-driver volumes-from workdir";

/** Which files programs for containers touch. */
export const CONTAINERS: Readonly<Record<string, SubCommandEntry>> = {
  "docker podman nerdctl": {
    paths: "--config:read --tlscacert:read --tlscert:read --tlskey:read --identity:read",
    rows: {
      "run|create|container run|container create": {
        flags: RUN_FLAGS,
        valued: RUN_VALUED,
        long: RUN_LONG,
        longValued: RUN_LONG_VALUED,
        paths:
          "--env-file:read --label-file:read --cidfile:write --pidfile:write --authfile:read --device:write",
        shapes: "-v:volume --volume:volume --mount:mount",
        operands: "text",
        flagsFirst: true,
      },
      "exec|container exec": {
        flags: "dit",
        valued: "euw",
        long: "detach interactive tty privileged",
        longValued: "detach-keys env user workdir",
        paths: "--env-file:read",
        operands: "text",
        flagsFirst: true,
      },
      "build|buildx build|buildx b|image build|builder build|buildx bake": {
        flags: "q",
        valued: "tmc",
        long: "load no-cache pull push quiet rm force-rm squash stream compress debug print",
        longValued:
          "tag build-arg target platform progress label network builder allow add-host annotation attest cgroup-parent cpu-period cpu-quota cpu-shares cpuset-cpus cpuset-mems isolation memory memory-swap no-cache-filter provenance sbom security-opt shm-size ulimit call set format",
        paths:
          "-f:read --file:read --iidfile:write --metadata-file:write --authfile:read --ignorefile:read --env-file:read",
        shapes:
          "--secret:secret --ssh:secret -o:dest --output:dest --build-context:assigned --cache-from:source --cache-to:dest -v:volume --volume:volume",
        operands: "walk",
        recursive: "*",
        remote: "host",
      },
      "cp|container cp": {
        flags: "aLq",
        long: "archive follow-link quiet overwrite pause",
        operands: "read",
        last: "write",
        recursive: "*",
        remote: "host",
        links: "anywhere",
      },
      "save|image save": {
        paths: "-o:write --output:write",
        longValued: "platform format",
        operands: "text",
      },
      "load|image load": { paths: "-i:read --input:read", longValued: "platform", operands: "text" },
      "export|container export": { paths: "-o:write --output:write", operands: "text" },
      "import|image import": {
        valued: "cm",
        longValued: "change message platform",
        operands: "text",
        first: "read",
      },
      "stack deploy|stack up": { paths: "-c:read --compose-file:read", operands: "text" },
      "secret create|config create": {
        valued: "dl",
        longValued: "driver label template-driver",
        operands: "read",
        first: "text",
      },
      "plugin create": { operands: "walk", first: "text", recursive: "*" },
      "context export": { operands: "write", first: "text" },
      "context import": { operands: "read", first: "text" },
      "kube play|play kube|kube down|kube apply": {
        paths: "--configmap:read --authfile:read --seccomp-profile-root:read -f:read",
        operands: "read",
      },
      login: { valued: "up", longValued: "username password", paths: "--authfile:write", operands: "text" },
      "cidfile|rm|stop|kill|container rm|container stop": { paths: "--cidfile:read", operands: "text" },
      compose: {
        valued: "p",
        longValued: "project-name profile parallel progress ansi",
        paths: "-f:read --file:read --env-file:read --project-directory:list",
        shapes: "-v:volume --volume:volume",
        operands: "text",
        flagsFirst: true,
      },
      "compose run": {
        flags: "diPT",
        valued: "elpuwf",
        longValued: "env label publish user workdir name entrypoint cap-add cap-drop pull",
        long: "detach interactive no-TTY no-deps rm service-ports use-aliases build quiet-pull remove-orphans",
        paths: "--env-from-file:read",
        shapes: "-v:volume --volume:volume",
        operands: "text",
        flagsFirst: true,
      },
      "compose cp": { operands: "read", last: "write", longValued: "index", recursive: "*", remote: "host" },
      "compose config|compose convert": { paths: "-o:write --output:write", operands: "text" },
    },
  },
  "docker-compose podman-compose": {
    paths: "-f:read --file:read --env-file:read --project-directory:list",
    rows: {
      run: {
        flags: "diPT",
        valued: "elpuw",
        longValued: "env label publish user workdir name entrypoint cap-add cap-drop pull",
        long: "detach interactive no-deps rm service-ports use-aliases build",
        shapes: "-v:volume --volume:volume",
        operands: "text",
        flagsFirst: true,
      },
      cp: { operands: "read", last: "write", longValued: "index", recursive: "*", remote: "host" },
      "config|convert": { paths: "-o:write --output:write", operands: "text" },
    },
  },
};
