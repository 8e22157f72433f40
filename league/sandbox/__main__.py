"""`python -m league.sandbox HANDLE`: a zygote that answers on an open socket."""

import socket
import sys

from league.sandbox.zygote import Zygote

Zygote(socket.socket(fileno=int(sys.argv[1]))).run()
