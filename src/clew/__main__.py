from clew.faces.cli.main import main

main()
